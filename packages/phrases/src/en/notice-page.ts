/** The page on which whoever got a notice of a legal hold reads and acknowledges it, without signing in. */
export const noticePage = {
  title: 'Notice about data to be kept',
  lead: '{{sender}} of {{organisation}} sent this to {{address}} on {{at}}.',
  acknowledge: 'I have read this',
  acknowledgedAt: 'You acknowledged this on {{at}}. You can close this page.',
} as const;
