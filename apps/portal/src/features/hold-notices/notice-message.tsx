import { makeStyles, tokens } from '@fluentui/react-components';
import type { ReactElement } from 'react';

const useStyles = makeStyles({
  message: {
    margin: 0,
    paddingLeft: tokens.spacingHorizontalM,
    borderLeft: `3px solid ${tokens.colorBrandStroke1}`,
    whiteSpace: 'pre-line',
    overflowWrap: 'anywhere',
  },
});

/** What somebody wrote, with the line breaks that they made. */
export function NoticeMessage({ message }: { readonly message: string }): ReactElement {
  return <blockquote className={useStyles().message}>{message}</blockquote>;
}
