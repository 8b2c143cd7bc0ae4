/** A message with one file. */
export interface MailMessage {
  /** The same for each attempt, so that receivers can drop a repeat. */
  id: string;
  to: readonly string[];
  subject: string;
  text: string;
  file: { name: string; type: string; bytes: Buffer };
}

/** Sends mail through an SMTP server. */
export interface Mailer {
  /** Rejects when the server does not take the message for every receiver. */
  send(message: MailMessage): Promise<void>;
}

/**
 * Returns a client of an SMTP server (RFC 5321).
 * @param settings `url` such as `smtps://user:password@mail.example:465`, `from` the sender's address
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
      const messageId = `<${id}@${from.split('@').at(-1)}>`;
      const attachments = [{ filename: file.name, contentType: file.type, content: file.bytes }];
      const sent = await transport.sendMail({ from, to: [...to], subject, text, messageId, attachments });
      if (sent.rejected.length > 0) throw new Error(`refused for ${sent.rejected.join(', ')}`);
    } finally {
      transport.close();
    }
  },
});
