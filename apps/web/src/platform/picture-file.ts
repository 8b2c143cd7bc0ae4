/** What the file picker offers. The server looks at the content; this only spares a useless upload. */
export const PICTURE_ACCEPT = 'image/jpeg,image/png,image/webp,.jpg,.jpeg,.png,.webp';

const NAMES = /\.(jpe?g|png|webp)$/i;

/** Whether a file can be a picture the server takes, by its name and size. */
export const mayBePicture = (file: { name: string; size: number }, maxSizeMB: number): boolean =>
  NAMES.test(file.name) && file.size > 0 && file.size <= maxSizeMB * 1024 * 1024;
