/** What the file picker offers. The server looks at the content; this only spares a useless upload. */
export const SLIP_ACCEPT = 'image/jpeg,image/png,image/webp,.jpg,.jpeg,.png,.webp';

const NAMES = /\.(jpe?g|png|webp)$/i;

/** Whether a file can be a slip by its name and size. */
export const mayBeSlip = (file: { name: string; size: number }, maxSizeMB: number): boolean =>
  NAMES.test(file.name) && file.size > 0 && file.size <= maxSizeMB * 1024 * 1024;
