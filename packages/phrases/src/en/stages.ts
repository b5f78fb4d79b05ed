/** The stages of a run. */
export const stages = {
  queued: 'Waiting for a worker',
  preparing: 'Finding out what is covered',
  working: 'Working',
  enumerating: 'Asking what has changed',
  reading: 'Reading',
  committing: 'Saving',
  restoring: 'Restoring',
  checking: 'Checking',
  waitingForMicrosoft: 'Waiting for Microsoft 365',
  waitingForStorage: 'Waiting for the storage',
  finished: 'Finished',
} as const;
