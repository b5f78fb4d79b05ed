import type { Policy, PolicyPlace, PolicySummary } from '@holdfast/contract/retention';
import type { DirectoryAttribute } from '@holdfast/contract/retention-terms';
import { nameWithAddress } from '../../i18n/name-with-address.ts';
import { lastMomentOf } from '../../i18n/calendar-day.ts';
import { useFormat, useText } from '../../i18n/use-text.ts';

interface Amount {
  readonly messages: number;
  readonly bytes: number;
}

const extension = 'extensionAttribute';

/** The name of an attribute of the directory. */
export function useAttributeName(): (attribute: DirectoryAttribute) => string {
  const text = useText();
  return (attribute) => {
    if (attribute === 'department' || attribute === 'office' || attribute === 'country' || attribute === 'company')
      return text(`retention.attributeNames.${attribute}`);
    return text('retention.attributeNames.extensionAttribute', { number: attribute.slice(extension.length) });
  };
}

/** Policies in words. */
export interface RetentionWords {
  readonly period: (policy: Policy) => string;
  readonly scope: (policy: Policy) => string;
  /** What another query of its search means, where somebody has written one. */
  readonly changed: (policy: Policy) => readonly (readonly [string, string])[];
  readonly amount: (amount: Amount, about: Policy['about']) => string;
  readonly place: (place: PolicyPlace) => string;
  /** The last day on which something of what is kept is kept. */
  readonly until: (kept: { readonly kept: Amount; readonly keptUntil: string | null }) => string;
  /** What a preview found, without a line for what it did not find. */
  readonly summary: (summary: PolicySummary, about: Policy['about']) => readonly (readonly [string, string])[];
}

export function useRetentionWords(): RetentionWords {
  const text = useText();
  const format = useFormat();
  const nameOf = useAttributeName();
  const amount: RetentionWords['amount'] = ({ messages, bytes }, about) => {
    const words = { count: messages, amount: format.count(messages), size: format.bytes(bytes) };
    return text(about === 'files' ? 'retention.versionsOf' : 'retention.amountOf', words);
  };
  const span = (of: Policy['length']): string => (of === null ? '' : text(`retention.lengths.${of.unit}`, { count: of.amount }));
  const place: RetentionWords['place'] = ({ resourceName, nodeId, name }) =>
    nodeId === null ? resourceName : text('retention.placeWithin', { site: resourceName, name });
  const until: RetentionWords['until'] = ({ kept, keptUntil }) => {
    if (kept.messages === 0) return text('retention.nothing');
    return keptUntil === null ? text('retention.untilEvent') : format.date(lastMomentOf(keptUntil));
  };
  return {
    place,
    period({ about, length, maximum, start, anchor, eventKind }) {
      const words = { minimum: span(length), maximum: span(maximum) };
      const both = length === null ? 'retention.atMost' : 'retention.atLeastAtMost';
      const length_ = maximum === null ? words.minimum : text(both, words);
      const anchored = text(about === 'files' && anchor === 'received' ? 'retention.lastChange' : `retention.anchors.${anchor}`);
      const from = eventKind === null ? anchored : text(`retention.eventKinds.${eventKind}`);
      return text('retention.periodOf', { length: length_, start: text(`retention.startWords.${start}`), anchor: from });
    },
    scope({ about, mailboxes, attributes, search, labels, places }) {
      if (search !== null) return text(`retention.searchOf.${about}`, { name: search.name, query: search.query });
      if (labels.length > 0)
        return text(`retention.labelsOf.${about}`, {
          labels: labels.map(({ labelId, name }) => (name === '' ? labelId : name)).join(', '),
        });
      if (about === 'files') return places.map(place).join(', ');
      if (attributes.length > 0) {
        const rules = attributes.map((rule) =>
          text('retention.attributeRule', { attribute: nameOf(rule.attribute), values: rule.values.join(', ') }),
        );
        return rules.join('; ');
      }
      if (mailboxes === null) return text('retention.scopes.everything');
      return mailboxes.map((mailbox) => nameWithAddress({ name: mailbox.name, address: mailbox.email })).join(', ');
    },
    changed({ search, maximum }) {
      if (search?.isChanged !== true) return [];
      return [
        [text('retention.searchChanged'), text(maximum === null ? 'retention.searchChangedKeeps' : 'retention.searchChangedDeletes')],
      ];
    },
    amount,
    until,
    summary(summary, about) {
      const found = (['over', 'waiting', 'longer', 'shortened', 'due', 'dueKept'] as const).filter((name) => summary[name].messages > 0);
      return [
        [text('retention.amountKept'), amount(summary.kept, about)],
        [text('retention.keptUntil'), until(summary)],
        ...found.map((name) => [text(`retention.${name}`), amount(summary[name], about)] as const),
        [text('retention.previewedAt'), format.dateTime(summary.at)],
        [text('retention.validUntil'), format.dateTime(summary.validUntil)],
      ];
    },
  };
}
