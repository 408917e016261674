/** A button on each block of code that copies it: of a shell's lines the commands, without prompts. */
const PROMPT = /^sanstone::> /;

export function offerCopying(): void {
  // Without TLS a browser lets no page copy.
  if (!navigator.clipboard) return;
  for (const block of document.querySelectorAll<HTMLElement>('pre.code')) {
    const button = document.createElement('button');
    Object.assign(button, { type: 'button', className: 'copy', textContent: 'Copy' });
    button.addEventListener('click', () => void copy(block, button));
    const around = document.createElement('div');
    around.className = 'copied-from';
    block.replaceWith(around);
    around.append(block, button);
  }
}

async function copy(block: HTMLElement, button: HTMLButtonElement): Promise<void> {
  try {
    await navigator.clipboard.writeText(typed(block.textContent));
    button.textContent = 'Copied';
  } catch {
    button.textContent = 'The browser does not let this page copy.';
  }
}

/** Returns the input in a block: where it has prompts, only the text after them. */
export function typed(text: string): string {
  const lines = text.split('\n');
  if (!lines.some((line) => PROMPT.test(line))) return text;
  const kept = lines.filter((line, at) => PROMPT.test(line) || goesOn(lines, at));
  return kept.map((line) => line.replace(PROMPT, '')).join('\n');
}

/** Whether a line goes on with the command above it: it is indented by four. */
function goesOn(lines: string[], at: number): boolean {
  return (
    /^ {4}\S/.test(lines[at]!) && at > 0 && (PROMPT.test(lines[at - 1]!) || goesOn(lines, at - 1))
  );
}
