import { config } from '../../platform/config.ts';

/** Whether this browser can receive notifications while the app is closed; `install`: only once the app is on the home screen. */
export type Ability = 'ready' | 'blocked' | 'install' | 'none';

const isApple = (): boolean => /iPhone|iPad|iPod/.test(navigator.userAgent);

export function pushAbility(): Ability {
  const isFramed = config.isFramed && self !== top;
  if (isFramed || !('serviceWorker' in navigator)) return 'none';
  if (!('PushManager' in globalThis) || !('Notification' in globalThis))
    return isApple() ? 'install' : 'none';
  return Notification.permission === 'denied' ? 'blocked' : 'ready';
}

const isSameKey = (one: ArrayBuffer | null | undefined, key: Uint8Array): boolean =>
  one !== null && one !== undefined && new Uint8Array(one).every((byte, index) => byte === key[index]);

/** The key as browsers take it everywhere. */
function bytesOf(key: string): Uint8Array<ArrayBuffer> {
  const text = atob(key.replaceAll('-', '+').replaceAll('_', '/'));
  return Uint8Array.from(text, (letter) => letter.charCodeAt(0));
}

/**
 * Requests the permission and subscribes this browser; call it from a press only. Returns null without the permission.
 * @param publicKey the server's
 */
export async function subscribeBrowser(publicKey: string) {
  if ((await Notification.requestPermission()) !== 'granted') return null;
  const { pushManager } = await navigator.serviceWorker.ready;
  const applicationServerKey = bytesOf(publicKey);
  const known = await pushManager.getSubscription();
  // A browser keeps to one sender's key.
  if (known && !isSameKey(known.options.applicationServerKey, applicationServerKey))
    await known.unsubscribe();
  const { endpoint, keys } = (
    await pushManager.subscribe({ userVisibleOnly: true, applicationServerKey })
  ).toJSON();
  return { endpoint: endpoint ?? '', keys: { p256dh: keys?.p256dh ?? '', auth: keys?.auth ?? '' } };
}

/** The browser forgets its subscription, if it has one; what is still on its way to it is not shown any more. */
export async function unsubscribeBrowser(): Promise<void> {
  const registration = await navigator.serviceWorker?.getRegistration();
  await (await registration?.pushManager?.getSubscription())?.unsubscribe();
}
