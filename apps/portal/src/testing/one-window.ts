import { builtinEnvironments, type Environment } from 'vitest/runtime';

let isOpen = false;

/** One window of jsdom for all files of a process: what they load, React and Fluent above all, is loaded once and keeps its window. */
export default {
  name: 'one-window',
  viteEnvironment: 'client',
  async setup(global, options) {
    if (!isOpen) await builtinEnvironments.jsdom.setup(global, options);
    isOpen = true;
    return { teardown: () => undefined };
  },
} satisfies Environment;
