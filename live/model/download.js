// Fetches a file of the live page, tells how far it is, and keeps it in the browser.
import {Problem} from "./problem.js";

const KEPT = "inside-bert-live";

// file: {url, sent, bytes, sha256}: what is sent may be packed (gzip), the others are of
// its content. tell: called with the number of bytes that have come.
// Returns the content as a Uint8Array. What was kept before is not fetched again.
export async function download(file, tell) {
  const kept = await openKept();
  const before = await kept?.match(file.url);
  if (before) {
    const content = await contentOf(new Uint8Array(await before.arrayBuffer()), file);
    if (content) {
      tell(file.sent);
      return content;
    }
    await kept.delete(file.url);
  }
  const {came, content} = await fetchWhole(file, tell);
  try {
    await kept?.put(file.url, new Response(came));
  } catch {
    // No room: it will be fetched again next time.
  }
  return content;
}

// None in private windows of some browsers, and none where the page has no https.
async function openKept() {
  try {
    return await caches.open(KEPT);
  } catch {
    return null;
  }
}

// Asks once more, past the browser's own cache, where something else has come.
async function fetchWhole(file, tell) {
  for (const cache of ["default", "reload"]) {
    const came = await fetched(file, tell, cache);
    const content = await contentOf(came, file);
    if (content) return {came, content};
  }
  throw new Problem(`${nameOf(file)} came incomplete or damaged. Try again.`);
}

const nameOf = file => file.url.split("/").at(-1);

async function fetched(file, tell, cache) {
  const parts = [];
  let size = 0;
  try {
    const response = await fetch(file.url, {cache});
    if (!response.ok) throw new Problem(refused(file, response.status));
    const reader = response.body.getReader();
    for (let {done, value} = await reader.read(); !done;) {
      parts.push(value);
      size += value.length;
      tell(Math.min(size, file.sent));
      ({done, value} = await reader.read());
    }
    return joined(parts, size);
  } catch (error) {
    if (error instanceof Problem) throw error;
    throw new Problem(
      `${nameOf(file)} could not be fetched. Is the network there? Then try again.`
    );
  }
}

const refused = (file, status) =>
  `The server did not give ${nameOf(file)}: it answered ${status}. ` +
  (status === 404
    ? "This page may be of an earlier build of the book; reload it."
    : "Try again later.");

function joined(parts, size) {
  const content = new Uint8Array(size);
  let at = 0;
  for (const part of parts) {
    content.set(part, at);
    at += part.length;
  }
  return content;
}

// The unpacked content, or null where it is not that of the file. A server may have
// unpacked on the way what is sent packed.
async function contentOf(came, file) {
  const content = isPacked(came) ? await unpacked(came) : came;
  if (content?.length !== file.bytes) return null;
  return (await hasDigest(content, file.sha256)) ? content : null;
}

// hex: of the SHA-256 that a content is to have; one that is none fits nothing.
export async function hasDigest(content, hex) {
  if (!/^[0-9a-f]{64}$/.test(hex)) return false;
  const wanted = Uint8Array.from(hex.match(/../g), pair => Number.parseInt(pair, 16));
  const {subtle} = globalThis.crypto ?? {};
  if (!subtle) return hasIntegrity(content, btoa(String.fromCharCode(...wanted)));
  const digest = new Uint8Array(await subtle.digest("SHA-256", content));
  return digest.every((byte, at) => byte === wanted[at]);
}

// Without https there is no crypto.subtle, but what browsers check scripts with is.
async function hasIntegrity(content, digest) {
  const url = URL.createObjectURL(new Blob([content]));
  try {
    return (await fetch(url, {integrity: `sha256-${digest}`})).ok;
  } catch {
    return false;
  } finally {
    URL.revokeObjectURL(url);
  }
}

const isPacked = content => content[0] === 0x1f && content[1] === 0x8b;

async function unpacked(content) {
  try {
    const stream = new Blob([content]).stream();
    const plain = stream.pipeThrough(new DecompressionStream("gzip"));
    return new Uint8Array(await new Response(plain).arrayBuffer());
  } catch {
    return null;
  }
}
