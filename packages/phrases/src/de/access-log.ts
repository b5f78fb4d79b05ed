import type { accessLog as english } from '../en/access-log.ts';
import type { SameKeys } from '../catalogue/shape.ts';

export const accessLog: SameKeys<typeof english> = {
  lead: 'Wer wessen Inhalte geöffnet hat, mit welchem Recht und aus welchem Grund. Besitzer und Prüfer sehen alles, alle anderen sehen, was sie selbst betrifft und was sie selbst getan haben.',
  at: 'Wann',
  what: 'Was geschehen ist',
  reason: 'Grund',
  address: 'Von wo',
  kind: 'Zugriff',
  kinds: {
    opened: 'Geöffnet',
    listed: 'Aufgelistet',
    downloaded: 'Heruntergeladen',
    restored: 'Anderswo wiederhergestellt',
    searched: 'Gesucht',
  },
  sentences: {
    opened: '{{reader}}: Element von {{owner}} geöffnet{{ground}}.',
    openedConversation: '{{reader}}: Unterhaltung von {{owner}} mit {{count}} Nachrichten geöffnet{{ground}}.',
    listed: '{{reader}}: Nachrichten von {{owner}} aufgelistet{{ground}}.',
    downloaded: '{{reader}}: Inhalte von {{owner}} heruntergeladen{{ground}}.',
    restored: '{{reader}}: Inhalte von {{owner}} an einem anderen Ort wiederhergestellt{{ground}}.',
    searched: '{{reader}}: nach „{{query}}“ gesucht, Treffer: {{count}}.',
    searchedAudit: '{{reader}}: in der für „{{name}}“ eingefrorenen Liste nach „{{query}}“ gesucht, Treffer: {{count}}.',
    searchedCase: '{{reader}}: im Fall „{{name}}“ nach „{{query}}“ gesucht, Treffer: {{count}}.',
  },
  grounds: {
    role: ', aufgrund der Rolle',
    own: ', als Besitzer',
    proxy: ', mit einem Stellvertreterrecht',
    proxyNamed: ', mit dem Stellvertreterrecht „{{name}}“',
    case: ', in einem Fall',
    caseNamed: ', im Fall „{{name}}“',
    auditor: ', als Prüfer',
    auditorNamed: ', als Prüfer für „{{name}}“',
  },
  you: 'Sie',
  nobody: 'unbekannt',
  more_one: '{{names}} und einer weiteren Quelle',
  more_other: '{{names}} und {{count}} weiteren Quellen',
  empty: 'Noch hat niemand Inhalte geöffnet.',
};
