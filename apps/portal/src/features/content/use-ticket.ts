import { compliance } from '@holdfast/contract/compliance';
import type { KeptItem } from '@holdfast/contract/compliance-values';
import { content } from '@holdfast/contract/content';
import type { Preview } from '@holdfast/contract/content';
import { printedReports } from '@holdfast/contract/printed-reports';
import type { ResponseOf } from '@holdfast/contract/route';
import type { DrawnPage } from '@holdfast/contract/values';
import { useState } from 'react';
import { messageOf } from '../../api/failures.ts';
import { usePortal } from '../../api/portal-context.ts';
import { followDownload } from '../../api/save-file.ts';
import type { WantedPart } from './preview-content.tsx';

/** One item of a source at a restore point. */
export interface ItemPlace {
  readonly tenantId: string;
  readonly locationId: string;
  readonly sourceId: string;
  readonly nodeId: string;
  readonly sequence: number;
}

/** An earlier version of a file; the newest one without a label. */
export interface WantedVersion {
  readonly version?: string;
}

export interface WantedPage extends WantedVersion {
  readonly page: number;
  readonly size: 'page' | 'thumbnail';
}

/**
 * A ticket is good for one use, so each look and each download asks for its own. Asking changes nothing that pages show,
 * so unlike a change it does not make them read everything again.
 */
export function useTicket({ tenantId, ...item }: ItemPlace) {
  const { client, toasts, languages } = usePortal();
  const [isPending, setPending] = useState(false);
  const asked = async (given: string): Promise<string> =>
    (await client.send(content.open, { params: { tenantId }, body: { ...item, reason: given }, quiet: true })).ticket;
  const ticketFor = async (given: string): Promise<string | null> => {
    setPending(true);
    try {
      return await asked(given);
    } catch (error) {
      toasts.show('error', messageOf(error, languages.text, languages.current()));
      return null;
    } finally {
      setPending(false);
    }
  };
  const refused = (): null => {
    toasts.show('error', languages.text('failures.retrieve'));
    return null;
  };
  const open = async <Answer>(given: string, work: (ticket: string) => Promise<Answer>): Promise<Answer | null> => {
    const ticket = await ticketFor(given);
    return ticket === null ? null : work(ticket).catch(refused);
  };
  const follow = async (given: string, linkOf: (ticket: string) => Promise<string>): Promise<void> => {
    const ticket = await ticketFor(given);
    if (ticket === null) return;
    const address = await linkOf(ticket).catch(() => null);
    if (address === null) toasts.show('error', languages.text('failures.download'));
    else followDownload(address);
  };
  return {
    isPending,
    /** What the ticket is used for; null when there is none, or when it was refused. Either is told in a message. */
    open,
    /** Downloads what the ticket leads to. */
    follow,
    preview: (given: string, query: WantedVersion = {}): Promise<Preview | null> =>
      open(given, (ticket) => client.send(content.preview, { params: { tenantId, ticket }, query, quiet: true })),
    /** The preview together with why the item is kept: one ticket, one entry in the log. A part that could not be read is null. */
    read: (given: string): Promise<{ readonly preview: Preview; readonly kept: KeptItem | null } | null> =>
      open(given, async (ticket) => {
        const params = { tenantId, ticket };
        const [shown, kept] = await Promise.all([
          client.send(content.preview, { params, quiet: true }),
          client.send(compliance.keptItem, { params, quiet: true }).catch(() => null),
        ]);
        return { preview: shown, kept };
      }),
    /** A page of a file as a picture. Why there is none is thrown: it is said where the picture would be. */
    page: async (given: string, { page, ...query }: WantedPage, signal?: AbortSignal): Promise<DrawnPage> =>
      client.send(content.page, {
        params: { tenantId, ticket: await asked(given), page },
        query,
        quiet: true,
        ...(signal === undefined ? {} : { signal }),
      }),
    source: (given: string): Promise<ResponseOf<typeof content.source> | null> =>
      open(given, (ticket) => client.send(content.source, { params: { tenantId, ticket }, quiet: true })),
    /** A view of a mail in the reader's language. */
    pdf: (given: string): Promise<void> =>
      follow(given, (ticket) =>
        client.linkTo(printedReports.mail, {
          params: { tenantId, ticket },
          query: { language: languages.current().startsWith('de') ? 'de' : 'en' },
        }),
      ),
    download: (given: string, query: WantedPart): Promise<void> =>
      follow(given, (ticket) => client.linkTo(content.file, { params: { tenantId, ticket }, query })),
  };
}
