import { isIP, type LookupFunction } from 'node:net';
import path from 'node:path';
import type { Scope } from '@holdfast/database';
import type { Clock } from '@holdfast/foundation/clock';
import { hostOf, isAllowedHost, isPublicAddress, publicLookup } from '../../platform/outgoing-hosts.ts';
import type { DestinationRow } from './destinations.store.ts';
import { chatBody, type ChatWords, type MessageForm } from './chat-message.ts';
import { createFileTransport } from './file-transport.ts';
import { SendFailure } from './send-failure.ts';
import { createSyslogTransport } from './syslog-transport.ts';
import type { OutgoingEvent, Transport } from './transport.ts';
import { createWebhookTransport } from './webhook-transport.ts';

export interface TransportRules {
  readonly clock: Clock;
  /** Hosts that may lead into the operator's own network. */
  readonly allowedHosts: readonly string[];
  /** Below this folder are the files, each organisation's in a folder of its own. */
  readonly folder: string;
  readonly publicUrl: () => string;
  /** The words of messages for people, in the language of an organisation. */
  words(scope: Scope): Promise<ChatWords>;
  readonly version: string;
  readonly timeoutMs: number;
}

/** Address and certificates of a destination, as they are stored. */
export type StoredTarget = {
  readonly url?: string;
  readonly form?: MessageForm;
  readonly host?: string;
  readonly port?: number;
  readonly ca?: string;
};

/** The folder of a destination that writes files. */
export function folderOf(root: string, { organisationId, realm }: Scope, destinationId: string): string {
  return path.join(root, organisationId, realm, destinationId);
}

/** Where a connection leads. */
interface Receiver {
  readonly host: string;
  readonly port: string;
  readonly isEncrypted: boolean;
}

/** The receiver of a syslog or webhook destination. */
export function receiverOf({ url, host = '', port }: StoredTarget): Receiver {
  if (url === undefined) return { host, port: String(port), isEncrypted: true };
  const address = new URL(url);
  return { host: hostOf(address), port: address.port, isEncrypted: address.protocol === 'https:' };
}

export function isAllowedReceiver({ host, port }: Receiver, allowedHosts: readonly string[]): boolean {
  return isAllowedHost({ host: `${host}:${port}`, hostname: host }, allowedHosts);
}

const refused = (): SendFailure => new SendFailure('hostRefused');

/** How a receiver is resolved. Plain HTTP needs the operator's permission, as a private network does. */
function dialling(target: StoredTarget, allowedHosts: readonly string[]): LookupFunction | undefined {
  const receiver = receiverOf(target);
  if (isAllowedReceiver(receiver, allowedHosts)) return undefined;
  if (!receiver.isEncrypted || (isIP(receiver.host) !== 0 && !isPublicAddress(receiver.host))) throw refused();
  return publicLookup(refused);
}

/** The way to a destination. `secret` is that of a webhook. */
export function transportOf(rules: TransportRules, scope: Scope, row: DestinationRow, secret: string): Transport {
  const { clock, publicUrl, timeoutMs, version } = rules;
  const { url = '', form = 'events', host = '', port = 0, ca = '' } = row.target as StoredTarget;
  const destinationId = row.destination_id;
  if (row.kind === 'file') return createFileTransport(folderOf(rules.folder, scope, destinationId));
  const dial = () => dialling(row.target, rules.allowedHosts);
  if (row.kind === 'syslog')
    return createSyslogTransport({ host, port, ca }, { clock, origin: new URL(publicUrl()).hostname, dial, timeoutMs });
  const bodyOf =
    form === 'events' ? undefined : async (events: readonly OutgoingEvent[]) => chatBody(form, events, await rules.words(scope));
  return createWebhookTransport(
    { destinationId, url, ca, secret },
    { clock, userAgent: `holdfast/${version}`, dial, timeoutMs, ...(bodyOf ? { bodyOf } : {}) },
  );
}
