
// Links within the page unfold what they lead to, also where a filter has hidden it.
(() => {
  function reveal() {
    const id = decodeURIComponent(location.hash.slice(1));
    const target = id && document.getElementById(id);
    if (!target) return;
    if (target.closest("[hidden]")) document.getElementById("every")?.click();
    for (let at = target; at; at = at.parentElement) if (at.tagName === "DETAILS") at.open = true;
    (target.closest("details") ?? target).scrollIntoView();
  }
  window.addEventListener("hashchange", reveal);
  document.addEventListener("click", (event) => {
    const link = event.target.closest?.('a[href^="#"]');
    // A second click on the same link changes nothing in the address. The browser goes there first.
    if (link && link.hash === location.hash) setTimeout(reveal);
  });
  if (document.readyState === "complete") reveal();
  else window.addEventListener("load", () => setTimeout(reveal));
})();
