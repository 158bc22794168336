// Runs Python in the WebAssembly MicroPython: one job as JSON on standard input, one answer out.
// In: {heap, pystack, files: {path: text}, calls: [source]}. Every call is one top-level call, since a
// collection frees nothing while a call runs. Out: {printed: [text of each call], error: null or text}.
import { readFileSync } from "node:fs";
import { loadMicroPython } from "@micropython/micropython-webassembly-pyscript/micropython.mjs";

const job = JSON.parse(readFileSync(0, "utf8"));
let lines = [];
const mp = await loadMicroPython({
  heapsize: job.heap, pystack: job.pystack, linebuffer: true,
  stdout: (line) => lines.push(line), stderr: (line) => lines.push(line),
});
for (const [path, text] of Object.entries(job.files)) {
  mp.FS.mkdirTree(path.slice(0, path.lastIndexOf("/")) || "/");
  mp.FS.writeFile(path, Buffer.from(text, "base64"));
}
const answer = { printed: [], error: null };
for (const source of job.calls) {
  lines = [];
  try {
    mp.runPython(source);
  } catch (error) {
    answer.error = `${source}\n${error.message ?? error}`;
  }
  answer.printed.push(lines.join("\n"));
  if (answer.error) break;
}
console.log(JSON.stringify(answer));
process.exit(0);
