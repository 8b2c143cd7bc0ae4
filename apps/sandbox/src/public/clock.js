// @ts-check
/** Moves the virtual clock's faces along with real time; a frozen one stands. */
const loadedAt = Date.now();

/** @param {HTMLElement} face */
function show(face) {
  face.dataset.seen ??= String(Date.now());
  const passed = 'frozen' in face.dataset ? 0 : Date.now() - Number(face.dataset.seen ?? loadedAt);
  const options = /** @type {Intl.DateTimeFormatOptions} */ ({
    timeZone: 'Asia/Bangkok',
    hour: '2-digit',
    minute: '2-digit',
  });
  if ('seconds' in face.dataset) options.second = '2-digit';
  const text = new Intl.DateTimeFormat('en-GB', options).format(Number(face.dataset.clock) + passed);
  if (face.textContent !== text) face.textContent = text;
}

/** Starts once; faces that come later are found by themselves. */
export function keepClocks() {
  const tick = () => {
    for (const face of document.querySelectorAll('[data-clock]')) show(/** @type {HTMLElement} */ (face));
  };
  tick();
  setInterval(tick, 1000);
}
