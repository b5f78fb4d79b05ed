import type { audit as english } from '../en/audit.ts';
import type { SameKeys } from '../shape.ts';

export const audit: SameKeys<typeof english> = {
  lead: 'Wer was wann womit von wo getan hat. Nichts davon lässt sich unbemerkt ändern.',
  event: 'Ereignis',
  outcome: 'Ergebnis',
  succeeded: 'Erfolgreich',
  failed: 'Fehlgeschlagen',
  denied: 'Verweigert',
  actor: 'Wer',
  subject: 'Woran',
  address: 'Von wo',
  at: 'Wann',
  sequence: 'Nummer',
  reason: 'Grund',
  requestId: 'Anfragekennung',
  details: 'Details',
  leafHash: 'Blatt-Hash',
  verify: 'Vollständigkeit nachweisen',
  verified: 'Vollständig und unverändert: {{events}} Ereignisse unter {{checkpoints}} signierten Prüfpunkten.',
  notVerified: 'Das Protokoll ist nicht, wie es sein soll:',
  exportJson: 'Exportieren (JSON-Zeilen)',
  exportCsv: 'Exportieren (CSV)',
  empty: 'Keine Ereignisse.',
  from: 'Von',
  to: 'Bis',
};
