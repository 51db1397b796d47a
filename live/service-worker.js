// The service worker of a reader who has loaded the live page. It changes nothing while
// the book is there; without a network, or where the server fails, it answers with what
// keep.js has kept.
self.addEventListener("install", () => self.skipWaiting());
self.addEventListener("activate", event => event.waitUntil(self.clients.claim()));
self.addEventListener("fetch", event => {
  const {request} = event;
  if (request.method === "GET" && request.url.startsWith(self.registration.scope))
    event.respondWith(answerTo(request));
});

async function answerTo(request) {
  const came = fetch(request);
  const response = await came.catch(() => null);
  // A page that is gone is gone; what an open page asks for is of its own build.
  const missing = response?.status === 404 && request.mode !== "navigate";
  if (response && response.status < 500 && !missing) return response;
  const kept = await caches.open("inside-bert-pages");
  const own = await kept.match(request); // also one of another build may be there
  return own ?? (await kept.match(request, {ignoreSearch: true})) ?? came;
}
