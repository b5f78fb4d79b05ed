import { holdNoticeBody } from '@holdfast/contract/hold-notices';
import { z } from 'zod';

const { recipients } = holdNoticeBody.shape;

/** What the form asks for. A fault of one address is one of the list: the field shows them as one. */
function addressesOf(context: z.core.ParsePayload<string[]>): void {
  const [fault] = recipients.safeParse(context.value).error?.issues ?? [];
  if (fault) context.issues.push({ code: 'custom', message: fault.message, input: context.value });
}

/** The draft of a notice; `place` is what the proposed text leaves to its writer. */
export function noticeDraft(place: string) {
  return holdNoticeBody.extend({
    recipients: z.array(z.string()).check(addressesOf),
    message: holdNoticeBody.shape.message.refine((message) => !message.includes(place), { error: 'validation.noticeUnfinished' }),
  });
}
