/** An account number as operators see it until they ask for it: only its last four digits. */
export const maskedAccountNo = (digits: string): string => `••${digits.slice(-4)}`;

/** A phone number likewise: "081•••0142". */
export const maskedPhone = (phone: string): string => `${phone.slice(0, 3)}•••${phone.slice(-4)}`;
