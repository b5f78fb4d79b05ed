import type { noticePage as english } from '../en/notice-page.ts';
import type { SameKeys } from '../catalogue/shape.ts';

export const noticePage: SameKeys<typeof english> = {
  title: 'Benachrichtigung über aufzubewahrende Daten',
  lead: '{{sender}} ({{organisation}}) hat dies am {{at}} an {{address}} gesendet.',
  acknowledge: 'Ich habe dies gelesen',
  acknowledgedAt: 'Sie haben dies am {{at}} bestätigt. Sie können diese Seite schließen.',
};
