// nextflow run main.nf --tables 'tables/*.csv' --target diagnosis --outdir selected
// Selects features of every table. With --unseen 'new/*.csv' the selection of the table of the
// same name is applied to each of these.
params.tables = 'tables/*.csv'
params.unseen = null
params.target = 'diagnosis'
params.outdir = 'selected'

process SELECT {
    tag "${name}"
    cpus 4
    memory '4 GB'
    publishDir params.outdir, mode: 'copy'

    input:
    tuple val(name), path(table)

    output:
    tuple val(name), path("${name}"), emit: result

    script:
    """
    perturbfs select '${table}' --target '${params.target}' --out '${name}' \\
        --jobs ${task.cpus} --quiet
    """
}

process APPLY {
    tag "${name}"
    publishDir params.outdir, mode: 'copy'

    input:
    tuple val(name), path(result), path(table, stageAs: 'unseen/*')

    output:
    path "${name}-selected.csv"

    script:
    """
    perturbfs apply '${result}' '${table}' --out '${name}-selected.csv' --quiet
    """
}

workflow {
    SELECT(channel.fromPath(params.tables, checkIfExists: true).map { [it.simpleName, it] })
    if (params.unseen) {
        unseen = channel.fromPath(params.unseen, checkIfExists: true).map { [it.simpleName, it] }
        APPLY(SELECT.out.result.join(unseen))
    }
}
