// Fetches a file of the live page, tells how far it is, and keeps it in the browser.
import {Problem} from "./problem.js";

const KEPT = "inside-bert-live";

// file: {url, bytes, sha256}. tell: called with the number of bytes that have come.
// Returns a Uint8Array. What was kept before is not fetched again.
export async function download(file, tell) {
  const kept = await openKept();
  const before = await kept?.match(file.url);
  if (before) {
    const content = new Uint8Array(await before.arrayBuffer());
    if (await isWhole(content, file)) {
      tell(file.bytes);
      return content;
    }
  }
  const content = await fetched(file, tell);
  try {
    await kept?.put(file.url, new Response(content));
  } catch {
    // No room: it will be fetched again next time.
  }
  return content;
}

// Forgets the files of earlier versions of the book.
export async function forgetOthers(files) {
  const kept = await openKept();
  const needed = new Set(Object.values(files).map(file => file.url));
  for (const request of (await kept?.keys()) ?? [])
    if (!needed.has(request.url)) await kept.delete(request);
}

// None in private windows of some browsers, and none where the page has no https.
async function openKept() {
  try {
    return await caches.open(KEPT);
  } catch {
    return null;
  }
}

async function fetched(file, tell) {
  const name = file.url.split("/").at(-1);
  let response;
  const parts = [];
  let size = 0;
  try {
    response = await fetch(file.url);
    if (!response.ok)
      throw new Problem(`The server has no ${name} (it answered ${response.status}).`);
    const reader = response.body.getReader();
    for (let {done, value} = await reader.read(); !done; ) {
      parts.push(value);
      size += value.length;
      tell(Math.min(size, file.bytes));
      ({done, value} = await reader.read());
    }
  } catch (error) {
    if (error instanceof Problem) throw error;
    throw new Problem(
      `${name} could not be fetched. Is the network there? Then try again.`
    );
  }
  const content = joined(parts, size);
  if (!(await isWhole(content, file)))
    throw new Problem(`${name} came incomplete or damaged. Try again.`);
  return content;
}

function joined(parts, size) {
  const content = new Uint8Array(size);
  let at = 0;
  for (const part of parts) {
    content.set(part, at);
    at += part.length;
  }
  return content;
}

async function isWhole(content, file) {
  // A server may have unpacked what it sends as ready-packed (gzip): look inside then.
  if (file.url.endsWith(".gz") && !isPacked(content)) return content.length > 0;
  if (content.length !== file.bytes) return false;
  if (!globalThis.crypto?.subtle) return true; // there is none without https
  const digest = new Uint8Array(await crypto.subtle.digest("SHA-256", content));
  const hex = Array.from(digest, byte => byte.toString(16).padStart(2, "0")).join("");
  return hex === file.sha256;
}

const isPacked = content => content[0] === 0x1f && content[1] === 0x8b;

export async function unpacked(content) {
  if (!isPacked(content)) return content;
  const stream = new Blob([content]).stream();
  const plain = stream.pipeThrough(new DecompressionStream("gzip"));
  return new Uint8Array(await new Response(plain).arrayBuffer());
}
