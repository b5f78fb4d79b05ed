import {
  Button,
  Dialog,
  DialogActions,
  DialogBody,
  DialogContent,
  DialogSurface,
  DialogTitle,
  Field,
  Input,
  makeStyles,
  mergeClasses,
  tokens,
} from '@fluentui/react-components';
import { useEffect, useRef, useState } from 'react';
import type { FormEvent, ReactElement, ReactNode } from 'react';
import { useText } from '../i18n/use-text.ts';
import { useReturnFocus } from './use-return-focus.ts';

const useStyles = makeStyles({
  content: { display: 'flex', flexDirection: 'column', gap: tokens.spacingVerticalM, overflowWrap: 'anywhere' },
  // Below the last field too there is room for one line that says what is wrong with it.
  fields: { paddingBottom: tokens.spacingVerticalM },
});

export interface ConfirmDialogProps {
  /** Asks, with the name of what it is about. */
  readonly title: string;
  /** The consequence. */
  readonly text: string;
  /** The verb on the button. */
  readonly button: string;
  /** The safe button; "Cancel" unless that word would be ambiguous. */
  readonly cancel?: string;
  /** Something is destroyed: focus starts on the safe button. */
  readonly destructive?: boolean;
  /** What can't be undone asks for this name to be typed. */
  readonly typeName?: string;
  readonly busy?: boolean;
  readonly children?: ReactNode;
  readonly onConfirm: () => void;
  readonly onClose: () => void;
}

/** Asks before something starts, lasts or is destroyed. Escape and the backdrop mean no. */
export function ConfirmDialog(props: ConfirmDialogProps): ReactElement {
  const text = useText();
  const styles = useStyles();
  const [typed, setTyped] = useState('');
  useReturnFocus();
  const start = useRef<HTMLElement | null>(null);
  const begin = (button: HTMLElement | null): void => {
    start.current = button;
  };
  const { typeName, destructive = typeName !== undefined, busy = false } = props;
  // The dialog gives the focus to whatever it holds first, which may be a field.
  useEffect(() => start.current?.focus(), []);
  const allowed = !busy && (typeName === undefined || typed.trim() === typeName);
  const handleSubmit = (event: FormEvent): void => {
    event.preventDefault();
    // The dialog may stand inside another form as far as React is concerned.
    event.stopPropagation();
    if (allowed) props.onConfirm();
  };
  return (
    <Dialog open modalType="modal" onOpenChange={(_event, { open }) => (open ? undefined : props.onClose())}>
      <DialogSurface>
        <form onSubmit={handleSubmit}>
          <DialogBody>
            <DialogTitle>{props.title}</DialogTitle>
            <DialogContent className={mergeClasses(styles.content, props.children !== undefined && styles.fields)}>
              <span>{props.text}</span>
              {props.children}
              {typeName !== undefined && (
                <Field label={text('validation.typeName', { name: typeName })}>
                  <Input value={typed} autoComplete="off" onChange={(_event, { value }) => setTyped(value)} />
                </Field>
              )}
            </DialogContent>
            <DialogActions>
              <Button ref={destructive ? begin : null} onClick={props.onClose}>
                {props.cancel ?? text('common.cancel')}
              </Button>
              <Button ref={destructive ? null : begin} type="submit" appearance="primary" disabledFocusable={!allowed}>
                {props.button}
              </Button>
            </DialogActions>
          </DialogBody>
        </form>
      </DialogSurface>
    </Dialog>
  );
}
