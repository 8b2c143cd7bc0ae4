/** 128 random bits as hex. `crypto.randomUUID` is missing on plain-HTTP addresses such as a phone on the LAN. */
export const randomKey = (): string =>
  Array.from(crypto.getRandomValues(new Uint8Array(16)), (byte) => byte.toString(16).padStart(2, '0')).join(
    '',
  );
