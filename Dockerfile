# docker run --rm --user "$(id -u):$(id -g)" --volume "$PWD:/data" perturbfs select table.csv ...
FROM python:3.13-slim AS build
COPY . /source
RUN pip wheel --no-cache-dir --no-deps --wheel-dir /wheels /source

FROM python:3.13-slim
COPY --from=build /wheels /wheels
RUN pip install --no-cache-dir "$(echo /wheels/perturbfs-*.whl)[all]" && rm -r /wheels
# Any user may run it, so nothing is kept in a home directory.
ENV XDG_CACHE_HOME=/tmp MPLCONFIGDIR=/tmp
USER nobody
WORKDIR /data
ENTRYPOINT ["perturbfs"]
CMD ["--help"]
