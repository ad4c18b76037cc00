"use strict";
// Upload, form, progress and cancel. Names of files and columns are always set as text.

const byId = (id) => document.getElementById(id);

// The first visit has set a cookie, so the token is removed from the address.
if (location.search) history.replaceState(null, "", location.pathname);

function complain(text) {
  const message = byId("message");
  message.textContent = text;
  message.hidden = !text;
}

async function post(url, value) {
  const headers = { Accept: "application/json" };
  if (value !== undefined) headers["Content-Type"] = "application/json";
  let answer;
  try {
    const body = value === undefined ? undefined : JSON.stringify(value);
    answer = await fetch(url, { method: "POST", headers, body });
  } catch {
    throw new Error("perturbfs serve does not answer. It may have been stopped. Start it again.");
  }
  const said = await answer.json();
  if (!answer.ok) throw new Error(said.error);
  return said;
}

function leaveFor(where) {
  if (where === "reload") location.reload();
  else location.assign(where);
}

function readableSize(size) {
  if (size < 1e5) return `${Math.max(1, Math.round(size / 1e3))} kB`;
  const digits = size >= 1e7 ? 0 : 1;
  return (size / 1e6).toLocaleString("en", { minimumFractionDigits: digits, maximumFractionDigits: digits }) + " MB";
}

function send(file, url, limit) {
  complain("");
  if (file.size > limit) {
    complain(`${file.name} has ${readableSize(file.size)}, and at most ${readableSize(limit)} are accepted. Start perturbfs serve ` +
      "with a larger --max-size, or use perturbfs select, which has no limit.");
    return;
  }
  const request = new XMLHttpRequest();
  const ended = (text) => { byId("sending").hidden = true; complain(text); };
  request.open("POST", `${url}?name=${encodeURIComponent(file.name)}`);
  request.setRequestHeader("Accept", "application/json");
  request.setRequestHeader("Content-Type", "application/octet-stream");
  request.upload.onprogress = (event) => { byId("sending-bar").value = 100 * event.loaded / Math.max(event.total, 1); };
  request.onabort = () => ended("");
  request.onerror = () => ended("The upload failed: perturbfs serve does not answer, or the file was changed during the upload.");
  request.onload = () => {
    const said = JSON.parse(request.responseText);
    if (request.status < 300) leaveFor(said.page);
    else ended(said.error);
  };
  byId("sending-text").textContent = `Sending ${file.name}`;
  byId("sending-bar").value = 0;
  byId("sending").hidden = false;
  byId("abort").onclick = () => request.abort();
  request.send(file);
}

function setUpUpload(form) {
  const field = byId("file"), drop = byId("drop");
  const start = (file) => send(file, form.dataset.url, Number(form.dataset.limit));
  form.addEventListener("submit", (event) => {
    event.preventDefault();
    if (field.files.length) start(field.files[0]);
  });
  // A file dropped outside the field must not replace the page.
  for (const kind of ["dragover", "drop"]) addEventListener(kind, (event) => event.preventDefault());
  drop.addEventListener("dragover", () => drop.classList.add("over"));
  drop.addEventListener("dragleave", () => drop.classList.remove("over"));
  drop.addEventListener("drop", (event) => {
    drop.classList.remove("over");
    const files = event.dataTransfer.files;
    if (files.length === 1) start(files[0]);
    else complain(`${files.length || "No"} files were dropped. Drop one file. A second file with the outcome can be added later.`);
  });
}

function setUpSettings(form) {
  form.addEventListener("submit", async (event) => {
    event.preventDefault();
    complain("");
    try {
      // Enter in a field is the first button.
      await post(event.submitter?.dataset.url ?? form.dataset.url, Object.fromEntries(new FormData(form)));
      location.reload();
    } catch (error) {
      complain(error.message);
    }
  });
  const typed = byId("typed");
  typed.addEventListener("input", () => { form.elements.target.value = typed.dataset.chooses; });
  const labels = byId("labels-file");
  labels.addEventListener("change", () => {
    if (labels.files.length) send(labels.files[0], labels.dataset.url, Number(labels.dataset.limit));
  });
}

function remaining(seconds) {
  if (seconds === null) return "";
  if (seconds < 90) return `about ${Math.ceil(seconds)} s left`;
  return seconds < 5400 ? `about ${Math.ceil(seconds / 60)} min left` : `about ${Math.ceil(seconds / 3600)} h left`;
}

function showBar(each, position, all) {
  const bars = byId("bars"), id = `bar-${each.name}`;
  if (!byId(id)) {
    const box = document.createElement("div"), text = document.createElement("p");
    const label = document.createElement("span"), count = document.createElement("span");
    const bar = document.createElement("progress");
    box.className = "bar";
    label.id = `label-${each.name}`;
    label.textContent = each.name;
    count.id = `count-${each.name}`;
    count.className = "hint";
    bar.id = id;
    bar.setAttribute("aria-labelledby", label.id);
    text.append(label, count);
    box.append(text, bar);
    bars.append(box);
  }
  const left = each.done < each.total ? remaining(each.seconds_left) : "";
  byId(`count-${each.name}`).textContent = `${each.done} of ${each.total}${left && ", " + left}`;
  byId(id).max = each.total;
  // A bar without a value moves: the remaining time is not known yet.
  const isCurrent = position === all.findIndex((bar) => bar.done < bar.total);
  if (isCurrent && !each.done) byId(id).removeAttribute("value");
  else byId(id).value = each.done;
}

function setUpProgress(section) {
  const status = byId("status");
  let failures = 0;
  async function ask() {
    try {
      const said = await (await fetch(section.dataset.url, { headers: { Accept: "application/json" } })).json();
      failures = 0;
      if (said.state !== section.dataset.state) { location.reload(); return; }
      said.bars.forEach(showBar);
      byId("seconds").textContent = said.seconds === null ? "" : `${Math.floor(said.seconds)} s so far`;
      // Screen readers read the text only when it changes.
      if (said.doing && status.textContent !== said.doing) status.textContent = said.doing;
    } catch {
      failures += 1;
      if (failures === 5) status.textContent = "perturbfs serve does not answer. It may have been stopped.";
    }
    setTimeout(ask, failures < 5 ? 500 : 5000);
  }
  ask();
}

for (const button of document.querySelectorAll("button[data-post]")) {
  button.addEventListener("click", async () => {
    button.disabled = true;
    try {
      await post(button.dataset.post);
      leaveFor(button.dataset.then);
    } catch (error) {
      button.disabled = false;
      const message = byId("message") || byId("status");
      message.textContent = error.message;
      message.hidden = false;
    }
  });
}
if (byId("upload")) setUpUpload(byId("upload"));
if (byId("settings")) setUpSettings(byId("settings"));
if (byId("progress")) setUpProgress(byId("progress"));
