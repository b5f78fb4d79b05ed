/**
 * Which process has a run: the address of its worker, and the process there, so that one that is started again is
 * another one. People are told the address alone.
 */
export const workerProcess = (address: string, pid: number): string => `${address}/${pid}`;

/** The address of a worker process. */
export const addressOfWorker = (process: string): string => process.replace(/\/\d+$/, '');
