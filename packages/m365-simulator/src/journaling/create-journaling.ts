import { systemClock } from '@holdfast/foundation/clock';
import { subjectLine, paragraph } from '../content/prose.ts';
import { between, chance, pick, randomOf } from '../values/seeded.ts';
import type { Person } from '../state/directory.ts';
import type { Tenant } from '../state/tenant.ts';
import { mailActivities } from '../mail/mail-activities.ts';
import { journalReport, type JournaledRecipient } from './journal-report.ts';
import { sendMail, type MailTarget } from './send-mail.ts';

/** A journal rule: every message of the tenant is reported to a receiver. */
export interface JournalRule extends MailTarget {
  /** People write to each other so often. */
  readonly everyMs: number;
}

/** Journaling of tenants, for as long as it has a rule. */
export interface Journaling {
  /** Replaces the rule of a tenant; without one nothing is reported any more. */
  setRule(tenant: Tenant, rule: JournalRule | undefined): void;
  close(): void;
}

interface Written {
  readonly sender: Person;
  readonly recipients: readonly { readonly person: Person; readonly as: JournaledRecipient['as'] }[];
}

const RETRY_MS = 5_000;

function peopleWho(tenant: Tenant): readonly Person[] {
  return tenant.directory.users().filter((person) => person.hasMailbox && person.kind === 'member' && person.mail !== '');
}

function choose(tenant: Tenant, index: number): Written {
  const random = randomOf({ seed: tenant.seed, kind: 'journal', owner: 'people', index });
  const people = peopleWho(tenant);
  const sender = pick(random, people);
  const others = people.filter(({ id }) => id !== sender.id);
  const count = Math.min(others.length, between(random, 1, 3));
  const chosen = new Set(Array.from({ length: count }, () => pick(random, others)));
  const recipients = [...chosen].map((person, at) => ({
    person,
    as: at === 0 ? ('To' as const) : chance(random, 0.2) ? ('Bcc' as const) : ('Cc' as const),
  }));
  return { sender, recipients };
}

function messageOf(tenant: Tenant, index: number, { sender, recipients }: Written) {
  const random = randomOf({ seed: tenant.seed, kind: 'journal', owner: 'text', index });
  const atMs = tenant.clock.nowMs();
  const subject = subjectLine(random, 'en');
  const messageId = `<${atMs}.${index}@${tenant.directory.domain}>`;
  const named = (as: JournaledRecipient['as']): string =>
    recipients
      .filter((one) => one.as === as)
      .map(({ person }) => `"${person.displayName}" <${person.mail}>`)
      .join(', ');
  const lines = [
    `From: "${sender.displayName}" <${sender.mail}>`,
    `To: ${named('To')}`,
    ...(named('Cc') === '' ? [] : [`Cc: ${named('Cc')}`]),
    `Subject: =?utf-8?B?${Buffer.from(subject).toString('base64')}?=`,
    `Date: ${new Date(atMs).toUTCString().replace('GMT', '+0000')}`,
    `Message-ID: ${messageId}`,
    'MIME-Version: 1.0',
    'Content-Type: text/plain; charset=utf-8',
    'Content-Transfer-Encoding: 8bit',
    '',
    paragraph(random, 'en', 3),
    '',
  ];
  return { message: Buffer.from(lines.join('\r\n')), subject, messageId, atMs };
}

/** Puts the message into the mailboxes, as the transport does after it was journaled. */
function deliver(tenant: Tenant, message: Buffer, { sender, recipients }: Written): void {
  const delivery = mailActivities.find(({ name }) => name === 'mail.deliver');
  const mime = message.toString('base64');
  delivery?.run(tenant, { user: sender.mail, folder: 'sentitems', mime });
  for (const { person } of recipients) delivery?.run(tenant, { user: person.mail, folder: 'inbox', mime });
}

/** Somebody writes to colleagues, and the report of it is delivered. Throws what the receiver says. */
async function writeOne(tenant: Tenant, rule: MailTarget, index: number): Promise<void> {
  const written = choose(tenant, index);
  const { message, ...facts } = messageOf(tenant, index, written);
  const recipients = written.recipients.map(({ person, as }) => ({ as, address: person.mail }));
  const report = journalReport({ ...facts, sender: written.sender.mail, recipients, message, reportId: `${facts.atMs}-${index}` });
  await sendMail(rule, '', report);
  deliver(tenant, message, written);
}

/** Journaling of a simulation. A receiver that is away is tried again with the next message. */
export function createJournaling(): Journaling {
  const rules = new Map<string, { stop: () => void }>();

  function start(tenant: Tenant, rule: JournalRule): { stop: () => void } {
    let isStopped = false;
    let cancel: () => void = () => undefined;
    let index = 0;
    const next = async (): Promise<void> => {
      const isDelivered = await writeOne(tenant, rule, index).then(
        () => true,
        () => false,
      );
      if (isDelivered) index += 1;
      if (!isStopped) cancel = systemClock.after(isDelivered ? rule.everyMs : Math.max(RETRY_MS, rule.everyMs), () => void next());
    };
    void next();
    return {
      stop() {
        isStopped = true;
        cancel();
      },
    };
  }

  return Object.freeze({
    setRule(tenant: Tenant, rule: JournalRule | undefined) {
      rules.get(tenant.tenantId)?.stop();
      rules.delete(tenant.tenantId);
      if (rule) rules.set(tenant.tenantId, start(tenant, rule));
    },
    close() {
      for (const { stop } of rules.values()) stop();
      rules.clear();
    },
  });
}
