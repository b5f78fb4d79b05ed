import { labelsOfHeaders } from '@holdfast/foundation/sensitivity-labels';
import PostalMime, { type Address } from 'postal-mime';
import type { TextSink } from '../part/text-sink.ts';
import type { CompoundFile } from './compound-file.ts';
import { htmlText } from './html.ts';

function nameOf({ name, address, group }: Address): string {
  return [name, address, ...(group ?? []).flatMap((member) => [member.name, member.address])].filter(Boolean).join(' ');
}

/** A message in a file or inside another: its people, subject and text; what it carries is read as documents. */
export async function readMail(bytes: Uint8Array, sink: TextSink): Promise<void> {
  const mail = await PostalMime.parse(bytes, { forceRfc822Attachments: true });
  sink.labels(labelsOfHeaders(mail.headers.map(({ key, value }) => [key, value])));
  const people = [mail.from, ...(mail.to ?? []), ...(mail.cc ?? []), ...(mail.bcc ?? [])];
  sink.text(`${mail.subject ?? ''}\n${people.map((one) => (one ? nameOf(one) : '')).join('\n')}\n`);
  if (mail.text !== undefined) sink.text(`${mail.text}\n`);
  if (mail.html !== undefined && mail.text === undefined) htmlText(mail.html, sink);
  for (const { filename, mimeType, content } of mail.attachments) {
    const inner = typeof content === 'string' ? Buffer.from(content) : new Uint8Array(content);
    sink.unpack(inner.byteLength);
    sink.inside({ name: filename ?? (mimeType === 'message/rfc822' ? 'message.eml' : 'attachment'), bytes: inner });
  }
}

/** Property streams of [MS-OXMSG] 2.1.3 by what they hold; `001F` is text in UTF-16. */
const message = { subject: '0037001F', sender: '0C1A001F', to: '0E04001F', cc: '0E03001F', body: '1000001F', html: '10130102' } as const;
const attached = { name: '3707001F', shortName: '3704001F', data: '37010102' } as const;

/** A message as Outlook saves it. */
export function readOutlookMessage(file: CompoundFile, sink: TextSink): void {
  const stream = (folder: string, tag: string): Buffer | undefined => file.read(`${folder}__substg1.0_${tag}`);
  const text = (folder: string, tag: string): string | undefined => stream(folder, tag)?.toString('utf16le');
  for (const tag of [message.subject, message.sender, message.to, message.cc, message.body]) sink.text(`${text('', tag) ?? ''}\n`);
  const html = stream('', message.html);
  if (html && text('', message.body) === undefined) htmlText(html.toString('utf8'), sink);
  for (const folder of file.paths.filter((path) => /^__attach_version1\.0_#[0-9A-F]{8}\/$/iu.test(path))) {
    const bytes = stream(folder, attached.data);
    const name = text(folder, attached.name) ?? text(folder, attached.shortName);
    if (bytes) sink.inside({ name: name ?? 'attachment', bytes });
  }
}
