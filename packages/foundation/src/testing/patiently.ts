import { systemClock } from '../clock.ts';

/** How often a busy server is asked again, with a second between. */
const PATIENCE = 90;

/** A machine that is busy with other tests makes the server refuse for a moment. It has done nothing then, and says to ask again. */
export async function patiently(ask: () => Promise<Response>): Promise<Response> {
  for (let turn = 0; ; turn += 1) {
    const answer = await ask();
    if (answer.status !== 503 || turn === PATIENCE) return answer;
    const { code } = (await answer
      .clone()
      .json()
      .catch(() => ({}))) as { readonly code?: string };
    if (code !== 'service.overloaded') return answer;
    await systemClock.sleep(1_000);
  }
}
