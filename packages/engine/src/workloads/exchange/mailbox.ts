import type { GraphClient } from '@holdfast/m365';
import type { MailboxSelection, Selections } from '../../ports/run.ts';
import type { EnumerateContext, Workload } from '../../pipeline/workload.ts';
import type { Step } from '../../pipeline/step.ts';
import { guardPart } from '../compare-listing.ts';
import { AREAS, putAreas, type Area } from './areas.ts';
import { enumerateCalendars } from './calendars.ts';
import { enumerateContacts } from './contacts.ts';
import { enumerateMail } from './mail.ts';
import { enumerateSettings } from './settings.ts';
import { enumerateTasks } from './tasks.ts';

type Part = (context: EnumerateContext, graph: GraphClient) => AsyncIterable<Step>;

/** The parts of a mailbox that any job takes, in order; mail and settings always. */
function partsOf(selections: Selections): readonly (readonly [Area, Part | undefined])[] {
  const isTaken = (part: keyof MailboxSelection, unlessSaid: boolean): boolean =>
    selections.some(({ mailbox }) => mailbox?.[part] ?? unlessSaid);
  const parts: (readonly [Area, Part | undefined, boolean])[] = [
    ['mail', enumerateMail, true],
    ['recoverable', undefined, isTaken('recoverableItems', false)],
    ['calendars', enumerateCalendars, isTaken('calendars', true)],
    ['contacts', enumerateContacts, isTaken('contacts', true)],
    ['tasks', enumerateTasks, isTaken('tasks', true)],
    ['settings', enumerateSettings, true],
  ];
  return parts.filter(([, , isWanted]) => isWanted).map(([area, part]) => [area, part] as const);
}

/** What is not taken any more is not missed either. */
function* forgetUnwanted(context: EnumerateContext, wanted: ReadonlySet<Area>): Generator<Step, void, undefined> {
  const kinds = { calendars: 'event', contacts: 'contact', tasks: 'task' } as const;
  for (const [area, kind] of Object.entries(kinds) as readonly (readonly [keyof typeof kinds, string])[]) {
    if (wanted.has(area)) continue;
    const prefix = `unread:${AREAS[area]}`;
    for (const unread of context.unread.values()) {
      if (unread.kind === kind || unread.key.startsWith(prefix) || (area === 'contacts' && unread.kind === 'contactFolder'))
        yield { step: 'resolved', key: unread.key };
    }
  }
}

async function* enumerate(context: EnumerateContext, graph: GraphClient): AsyncGenerator<Step, void, undefined> {
  const parts = partsOf(context.selections);
  yield* putAreas(
    context,
    parts.map(([area]) => area),
  );
  yield* forgetUnwanted(context, new Set(parts.map(([area]) => area)));
  for (const [area, part] of parts) {
    if (!part) continue;
    if (area === 'mail') yield* part(context, graph);
    else yield* guardPart({ key: `unread:${AREAS[area]}`, kind: 'area', parentKey: null, name: area }, () => part(context, graph));
  }
}

/** Mailboxes: mail, calendars, contacts, To Do, settings. */
export function createMailboxWorkload(graph: GraphClient): Workload {
  return {
    roles: ['Mail.Read', 'MailboxSettings.Read', 'Calendars.Read', 'Contacts.Read', 'Tasks.Read.All'],
    enumerate: (context) => enumerate(context, graph),
  };
}
