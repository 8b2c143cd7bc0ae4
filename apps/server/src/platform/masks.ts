/** Masks an account number to its last four digits, as operators see it until they reveal it. */
export const maskedAccountNo = (digits: string): string => `••${digits.slice(-4)}`;

/** Masks a phone number: "081•••0142". */
export const maskedPhone = (phone: string): string => `${phone.slice(0, 3)}•••${phone.slice(-4)}`;
