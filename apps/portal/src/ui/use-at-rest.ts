import { useEffect, useRef, useState } from 'react';

/**
 * A value that waits while the pointer is down. Pressing something takes the focus from a field, and what leaving that field
 * changes must not push the pressed thing away before it gets its click.
 */
export function useAtRest<Value>(value: Value): Value {
  const [shown, setShown] = useState(value);
  const latest = useRef(value);
  const isPressed = useRef(false);
  useEffect(() => {
    latest.current = value;
    if (!isPressed.current) setShown(() => value);
  }, [value]);
  useEffect(() => {
    let frame = 0;
    const handlePress = (): void => {
      cancelAnimationFrame(frame);
      isPressed.current = true;
    };
    // The click comes right after the pointer is let go, before the next frame.
    const handleRelease = (): void => {
      cancelAnimationFrame(frame);
      frame = requestAnimationFrame(() => {
        isPressed.current = false;
        setShown(() => latest.current);
      });
    };
    // A finger is up again before its mouse events come, and those move the focus.
    const presses = ['pointerdown', 'mousedown'];
    const releases = ['pointerup', 'pointercancel', 'mouseup', 'dragend'];
    for (const name of presses) document.addEventListener(name, handlePress, true);
    for (const name of releases) document.addEventListener(name, handleRelease, true);
    return () => {
      cancelAnimationFrame(frame);
      for (const name of presses) document.removeEventListener(name, handlePress, true);
      for (const name of releases) document.removeEventListener(name, handleRelease, true);
    };
  }, []);
  return shown;
}
