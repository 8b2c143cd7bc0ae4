import { senderDomain } from '../../platform/mail-address.ts';

/** A message with one file. */
export interface MailMessage {
  /** The same for each attempt, so that receivers can drop a repeat. */
  id: string;
  to: readonly string[];
  subject: string;
  text: string;
  file: { name: string; type: string; bytes: Buffer };
}

/** A receiver that the mail server refused, and its response. */
export interface RefusedReceiver {
  address: string;
  reason: string;
}

/** Sends mail through an SMTP server. */
export interface Mailer {
  /**
   * Returns the receivers that the server refused; the others have the message. Rejects when the server does not take the
   * message at all, for another reason than its receivers.
   */
  send(message: MailMessage): Promise<RefusedReceiver[]>;
}

/** nodemailer's record of a send, or the error it throws when every receiver was refused. */
interface Refusals {
  rejected?: readonly unknown[] | undefined;
  rejectedErrors?: readonly { recipient?: string | undefined; response?: string | undefined }[] | undefined;
}

const refusedOf = ({ rejected = [], rejectedErrors = [] }: Refusals): RefusedReceiver[] =>
  rejected.map(String).map((address) => ({
    address,
    reason: rejectedErrors.find(({ recipient }) => recipient === address)?.response ?? 'refused',
  }));

/**
 * Returns a client of an SMTP server (RFC 5321).
 * @param settings `url` such as `smtps://user:password@mail.example:465`, `from` the sender's address, perhaps with a name
 */
export const smtpMailer = (settings: { url: string; from: string; timeoutMs: number }): Mailer => ({
  async send({ id, to, subject, text, file }) {
    // Loaded with the first message: most processes never send one.
    const { createTransport } = await import('nodemailer');
    const { url, from, timeoutMs } = settings;
    const transport = createTransport({
      url,
      connectionTimeout: timeoutMs,
      greetingTimeout: timeoutMs,
      socketTimeout: timeoutMs,
    });
    try {
      const messageId = `<${id}@${senderDomain(from)}>`;
      const attachments = [{ filename: file.name, contentType: file.type, content: file.bytes }];
      const message = { from, to: [...to], subject, text, messageId, attachments };
      const sent: Refusals = await transport.sendMail(message).catch((error: Refusals) => {
        if (error.rejected?.length) return error;
        throw error;
      });
      return refusedOf(sent);
    } finally {
      transport.close();
    }
  },
});
