// The service worker of a reader who has loaded the live page. It changes nothing while
// there is a network; without one it answers with what start.js has kept.
self.addEventListener("install", () => self.skipWaiting());
self.addEventListener("activate", event => event.waitUntil(self.clients.claim()));
self.addEventListener("fetch", event => {
  const {request} = event;
  if (request.method === "GET" && request.url.startsWith(self.registration.scope))
    event.respondWith(fetch(request).catch(error => keptOr(error, request)));
});

async function keptOr(error, request) {
  const kept = await caches.open("inside-bert-pages");
  const found = await kept.match(request, {ignoreSearch: true});
  if (found) return found;
  throw error;
}
