import { Button } from '@fluentui/react-components';
import type { ReactElement } from 'react';
import { useText } from '../i18n/use-text.ts';
import { Row } from './layout.tsx';
import { useLeave } from './unsaved-entries.tsx';

export interface FormButtonsProps {
  /** The verb on the button that saves. */
  readonly submit: string;
  readonly isBusy: boolean;
  readonly onClose: () => void;
}

/** Save and Cancel of a form over a page. Cancel asks first when something was entered. */
export function FormButtons({ submit, isBusy, onClose }: FormButtonsProps): ReactElement {
  const text = useText();
  const leave = useLeave();
  return (
    <Row>
      <Button type="submit" appearance="primary" disabledFocusable={isBusy}>
        {submit}
      </Button>
      <Button onClick={() => leave(onClose)}>{text('common.cancel')}</Button>
    </Row>
  );
}
