/** A ten-digit account number reads 123-456-7890; any other length stays as it is. */
export const accountText = (accountNo: string): string =>
  accountNo.length === 10
    ? `${accountNo.slice(0, 3)}-${accountNo.slice(3, 6)}-${accountNo.slice(6)}`
    : accountNo;

/** A ten-digit phone number reads 081 555 0142; any other stays as typed. */
export const phoneText = (phone: string): string =>
  /^\d{10}$/.test(phone) ? `${phone.slice(0, 3)} ${phone.slice(3, 6)} ${phone.slice(6)}` : phone;

/** Two letters that stand for a name where no picture is. Thai and Lao vowels that lean forward are skipped. */
export function initials(name: string): string {
  const words = name.trim().split(/\s+/).filter(Boolean);
  const letters = words.length > 1 ? words.slice(0, 2).map(firstLetter).join('') : name.trim().slice(0, 2);
  return /^[\x20-\x7e]*$/.test(letters) ? letters.toUpperCase() : firstLetter(name.trim());
}

/** The first consonant: a Thai or Lao leading vowel alone would stand without its letter. */
export const firstLetter = (name: string): string => name.replace(/^[เแโใไເແໂໃໄ]+/, '').slice(0, 1);
