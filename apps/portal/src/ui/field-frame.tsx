import { Field, makeStyles, mergeClasses, tokens } from '@fluentui/react-components';
import type { FieldProps } from '@fluentui/react-components';
import type { ReactElement } from 'react';
import { useAtRest } from './use-at-rest.ts';

/** The space below a field and the gap of its form (`spacingVerticalM`) together hold one line of a message with its margin (18 px). */
const useStyles = makeStyles({
  // As wide as what goes in, however wide the page is.
  frame: { paddingBottom: tokens.spacingVerticalSNudge, maxWidth: '640px' },
  fault: { order: 1, marginBottom: '-18px' },
});

export interface FieldFrameProps extends Pick<FieldProps, 'label' | 'hint' | 'required' | 'className' | 'children'> {
  /** What is wrong with the entry; undefined when nothing is. */
  readonly fault?: string | undefined;
}

/** Label, control, hint and fault. A fault appears in space that is there already, so that it moves nothing under the pointer. */
export function FieldFrame({ fault, className, children, ...rest }: FieldFrameProps): ReactElement {
  const styles = useStyles();
  const shown = useAtRest(fault);
  return (
    <Field
      {...rest}
      className={mergeClasses(styles.frame, className)}
      {...(shown === undefined ? {} : { validationState: 'error', validationMessage: { children: shown, className: styles.fault } })}
    >
      {children}
    </Field>
  );
}
