const SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;

/**
 * Resolves once, with the reason, when this process is asked to end: by a signal, or because whoever
 * started it with a channel (`stdio: [..., 'ipc']`) is gone. A process without a channel outlives its
 * parent, as a service must.
 */
export function askedToEnd(): Promise<string> {
  return new Promise((resolve) => {
    for (const signal of SIGNALS) process.once(signal, () => resolve(signal));
    // Undefined: there never was a channel. False: the parent went before anybody listened.
    if (process.connected === undefined) return;
    if (!process.connected) resolve('the parent process is gone');
    process.once('disconnect', () => resolve('the parent process is gone'));
    // Listening must not be what keeps a process alive that has nothing left to do.
    process.channel?.unref();
  });
}
