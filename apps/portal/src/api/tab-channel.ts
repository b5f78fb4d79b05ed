import type { z } from 'zod';

/** What tabs of one browser tell each other. */
export interface TabChannel<Message> {
  tell(message: Message): void;
  /** The answer stops it. */
  listen(hear: (message: Message) => void): () => void;
}

/** A channel of that name over all tabs; what does not fit the schema is not heard. */
export function broadcastOver<Schema extends z.ZodType>(name: string, schema: Schema): TabChannel<z.output<Schema>> {
  const channel = new BroadcastChannel(name);
  return {
    tell: (message) => channel.postMessage(message),
    listen(hear) {
      const listener = (event: MessageEvent<unknown>): void => {
        const heard = schema.safeParse(event.data);
        if (heard.success) hear(heard.data);
      };
      channel.addEventListener('message', listener);
      return () => channel.removeEventListener('message', listener);
    },
  };
}
