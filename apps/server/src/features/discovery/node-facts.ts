import type { NodeFacts } from '@holdfast/contract/discovery';

type Properties = Readonly<Record<string, unknown>>;

function propertiesOf(detail: object): Properties {
  const { properties } = detail as { readonly properties?: unknown };
  return typeof properties === 'object' && properties !== null ? (properties as Properties) : {};
}

/** A time as Microsoft Graph writes it for events and tasks; null where it is not in UTC, in which Holdfast asks for it. */
function instantOf(value: unknown): string | null {
  if (typeof value !== 'object' || value === null) return null;
  const { dateTime, timeZone } = value as { readonly dateTime?: unknown; readonly timeZone?: unknown };
  if (typeof dateTime !== 'string' || timeZone !== 'UTC') return null;
  const ms = Date.parse(`${dateTime.replace(/Z$/u, '').slice(0, 23)}Z`);
  return Number.isNaN(ms) ? null : new Date(ms).toISOString();
}

function textsOf(value: unknown): string[] {
  return Array.isArray(value) ? value.filter((one): one is string => typeof one === 'string').slice(0, 25) : [];
}

function isFlagged(flag: unknown): boolean {
  return typeof flag === 'object' && flag !== null && (flag as { readonly flagStatus?: unknown }).flagStatus === 'flagged';
}

/** What a list shows of a version besides its columns; null for kinds that have no such facts. */
export function factsOf({
  detail,
  has_attachments,
}: {
  readonly detail: object | null;
  readonly has_attachments: boolean;
}): NodeFacts | null {
  if (detail === null) return null;
  const properties = propertiesOf(detail);
  return {
    isUnread: properties['isRead'] === false,
    isFlagged: isFlagged(properties['flag']),
    isImportant: properties['importance'] === 'high',
    hasAttachments: has_attachments,
    categories: textsOf(properties['categories']),
    startsAt: instantOf(properties['start']),
    endsAt: instantOf(properties['end']),
    isAllDay: properties['isAllDay'] === true,
    isRecurring: properties['type'] === 'seriesMaster',
    dueAt: instantOf(properties['dueDateTime']),
    isDone: properties['status'] === 'completed',
    wellKnown: typeof properties['wellKnown'] === 'string' ? properties['wellKnown'] : null,
  };
}
