/** A mail, ready to be sent: both bodies say the same. */
export interface Mail {
  readonly to: string;
  readonly subject: string;
  readonly text: string;
  readonly html: string;
  readonly attachments?: readonly MailAttachment[];
}

/** A file that comes with a mail. */
export interface MailAttachment {
  readonly fileName: string;
  readonly mediaType: string;
  readonly base64: string;
  /** The name by which the HTML body shows it (`cid:`); without one it is a file beside the mail. */
  readonly contentId?: string;
}

/** Carries a mail to its reader. Throws when it could not be handed over; the mail is tried again later. */
export interface MailTransport {
  send(mail: Mail): Promise<void>;
}
