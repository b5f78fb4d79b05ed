import type { messageForms } from '@holdfast/contract/forwarding';
import { fill, type phrasesOf } from '../../http/language.ts';
import { isAlarm } from './syslog-message.ts';
import { TEST_EVENT } from './test-event.ts';
import type { OutgoingEvent } from './transport.ts';

export type MessageForm = (typeof messageForms)[number];

/** What messages for people are written with: the words of a language, and the address of the portal. */
export interface ChatWords {
  readonly phrases: ReturnType<typeof phrasesOf>;
  readonly address: string;
}

/** A channel is read by people: a longer list is in the portal. */
const MOST_LINES = 20;
const LONGEST = 300;
const AUDIT_PAGE = '/configuration/audit-log';

/** One event in one line: what happened, to what, and of which tenant. */
function lineOf({ event, subjectName, details }: OutgoingEvent, phrases: ChatWords['phrases']): string {
  if (event === TEST_EVENT) return phrases.forwarding.chatTest;
  const [feature = '', what = ''] = event.split('.');
  const titles: Readonly<Record<string, Readonly<Record<string, string>>>> = phrases.auditEvents;
  const title = titles[feature]?.[what] ?? event;
  const { tenant } = details;
  const named = subjectName === null ? title : `${title}: ${subjectName}`;
  return (typeof tenant === 'string' ? `${named} (${tenant})` : named).slice(0, LONGEST);
}

/** Names are data: nothing in them may become a link or a mention. */
const plainForSlack = (text: string): string => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
const plainForTeams = (text: string): string => text.replaceAll(/[\\*_[\]]/gu, String.raw`\$&`);

interface Message {
  readonly title: string;
  readonly lines: readonly string[];
  readonly open: string;
  readonly url: string;
}

function slackBody({ title, lines, open, url }: Message): object {
  return { text: [`*${title}*`, ...lines.map((line) => `• ${plainForSlack(line)}`), `<${url}|${open}>`].join('\n') };
}

/** An Adaptive Card, as the webhooks of Teams and its workflows take it. */
function teamsBody({ title, lines, open, url }: Message): object {
  const texts = lines.map((line) => ({ type: 'TextBlock', text: plainForTeams(line), wrap: true, spacing: 'Small' }));
  const content = {
    $schema: 'http://adaptivecards.io/schemas/adaptive-card.json',
    type: 'AdaptiveCard',
    version: '1.4',
    body: [{ type: 'TextBlock', text: title, weight: 'Bolder', size: 'Medium', wrap: true }, ...texts],
    actions: [{ type: 'Action.OpenUrl', title: open, url }],
  };
  return { type: 'message', attachments: [{ contentType: 'application/vnd.microsoft.card.adaptive', contentUrl: null, content }] };
}

/** Events as one message in a channel of Teams or Slack. */
export function chatBody(form: 'teams' | 'slack', events: readonly OutgoingEvent[], { phrases, address }: ChatWords): string {
  const lines = events.slice(0, MOST_LINES).map((event) => lineOf(event, phrases));
  const rest = events.length - lines.length;
  if (rest > 0) lines.push(fill(phrases.forwarding.chatMore, { count: String(rest) }));
  const title = events.some(({ event }) => isAlarm(event)) ? phrases.forwarding.chatAlarms : phrases.forwarding.chatEvents;
  const message = { title, lines, open: phrases.forwarding.chatOpen, url: `${address}${AUDIT_PAGE}` };
  return JSON.stringify(form === 'slack' ? slackBody(message) : teamsBody(message));
}
