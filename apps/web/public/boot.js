// Written pages can be read and typed in before any script runs, so the script waits for the first paint: words first.
// A page opened out of sight is not painted; there the clock decides. What is sent or pressed meanwhile is held and
// done once the page has come to life.
(() => {
  const { entry, files, manifest } = document.currentScript.dataset;
  const link = (rel, href) =>
    document.head.append(Object.assign(document.createElement('link'), { rel, href }));
  let held = null;
  const hold = (event) => {
    event.preventDefault();
    event.stopImmediatePropagation();
    held = event.target;
  };
  addEventListener('submit', hold, true);
  // Buttons that open a popover do so by themselves.
  const press = (event) => {
    const button = event.target.closest?.('button[type="button"]:not([popovertarget])');
    if (!button) return;
    event.stopImmediatePropagation();
    held = button;
  };
  addEventListener('click', press, true);
  addEventListener(
    'awake',
    () => {
      removeEventListener('submit', hold, true);
      removeEventListener('click', press, true);
      link('manifest', manifest);
      link('apple-touch-icon', '/icons/apple-180.png');
      if (!held?.isConnected) return;
      if (held instanceof HTMLFormElement) held.requestSubmit();
      else held.click();
    },
    { once: true },
  );

  const anew = () => {
    if (navigator.onLine) location.reload();
    else addEventListener('online', anew);
  };
  let isStarted = false;
  const start = () => {
    if (isStarted) return;
    isStarted = true;
    for (const href of files.split(' ')) link('modulepreload', href);
    // What is held would wait for ever for a script that did not come.
    import(entry).catch(() => setTimeout(anew, 4000));
  };
  requestAnimationFrame(() => setTimeout(start));
  setTimeout(start, 1000);
})();
