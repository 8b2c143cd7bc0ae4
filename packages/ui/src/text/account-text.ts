import { printedAccountNo } from '@krapao/contract/account-numbers';

/** A ten-digit account number reads 123-456-7890 at every bank; any other length as its bank prints it. */
export const accountText = (accountNo: string, bankCode: string): string =>
  accountNo.length === 10
    ? `${accountNo.slice(0, 3)}-${accountNo.slice(3, 6)}-${accountNo.slice(6)}`
    : printedAccountNo(accountNo, bankCode);

/** A ten-digit phone number reads 081 555 0142; any other stays as typed. */
export const phoneText = (phone: string): string =>
  /^\d{10}$/.test(phone) ? `${phone.slice(0, 3)} ${phone.slice(3, 6)} ${phone.slice(6)}` : phone;

/** Two letters that stand for a name where no picture is. Thai and Lao vowels that lean forward are skipped. */
export function initials(name: string): string {
  const texts = name.trim().split(/\s+/).filter(Boolean);
  const letters = texts.length > 1 ? texts.slice(0, 2).map(firstLetter).join('') : name.trim().slice(0, 2);
  return /^[\x20-\x7e]*$/.test(letters) ? letters.toUpperCase() : firstLetter(name.trim());
}

/** A name and the letters its owner chose for it, if any. */
interface Badge {
  name: string;
  letters: string;
}

/** Letters for each of several names, in their order, no two alike: the chosen ones, else the first that are free. */
export function badgeLetters(badges: readonly Badge[]): string[] {
  const taken = new Set<string>();
  return badges.map(({ name, letters }) => {
    const others = [...name.replace(/\s/g, '')].slice(1).map((letter) => `${name[0]}${letter}`.toUpperCase());
    const wanted = letters || initials(name);
    const free = [wanted, ...others].find((one) => !taken.has(one)) ?? wanted;
    taken.add(free);
    return free;
  });
}

/** The first consonant: a Thai or Lao leading vowel alone would stand without its letter. */
export const firstLetter = (name: string): string => name.replace(/^[เแโใไເແໂໃໄ]+/, '').slice(0, 1);
