/** One server-sent event. */
export interface ServerEvent {
  readonly event: string;
  readonly data: string;
  readonly id: string | null;
}

/** Reads server-sent events off a body, piece by piece; ends when the body does. */
export async function* readEvents(body: ReadableStream<Uint8Array>): AsyncGenerator<ServerEvent> {
  const decoder = new TextDecoder();
  const reader = body.getReader();
  let rest = '';
  try {
    for (;;) {
      const { done, value } = await reader.read();
      if (done) return;
      rest += decoder.decode(value, { stream: true });
      const blocks = rest.split(/\r?\n\r?\n/);
      rest = blocks.pop() ?? '';
      for (const block of blocks) yield parseEvent(block);
    }
  } finally {
    await reader.cancel().catch(() => undefined);
  }
}

/** One block of lines. Comments, which servers send to keep the line open, become the event `comment`. */
export function parseEvent(block: string): ServerEvent {
  const data: string[] = [];
  let event = '';
  let id: string | null = null;
  for (const line of block.split(/\r?\n/)) {
    const colon = line.indexOf(':');
    const field = colon === -1 ? line : line.slice(0, colon);
    const value = colon === -1 ? '' : line.slice(colon + 1).replace(/^ /, '');
    if (field === 'data') data.push(value);
    else if (field === 'event') event = value;
    else if (field === 'id') id = value;
  }
  if (data.length === 0 && event === '') return { event: 'comment', data: '', id };
  return { event: event === '' ? 'message' : event, data: data.join('\n'), id };
}
