import { makeStyles } from '@fluentui/react-components';
import type { ReactElement } from 'react';

const useStyles = makeStyles({ code: { overflowWrap: 'anywhere' } });

/** A key or a link to be taken along: one word without end, which goes on in the next line where there is no room. */
export function LongCode({ children }: { readonly children: string | undefined }): ReactElement {
  return <code className={useStyles().code}>{children}</code>;
}
