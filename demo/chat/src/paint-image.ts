const [WIDTH, HEIGHT] = [640, 360];

/** An image of some hundred KB: a sunset with stars. */
export function paintImage(): Promise<Blob> {
  const canvas = document.createElement('canvas');
  [canvas.width, canvas.height] = [WIDTH, HEIGHT];
  const context = canvas.getContext('2d');
  if (!context) throw new Error('This browser cannot draw.');
  const sky = context.createLinearGradient(0, 0, 0, HEIGHT);
  for (const [at, colour] of [
    [0, '#1b1f4b'],
    [0.6, '#b5446e'],
    [1, '#ffb545'],
  ] as const)
    sky.addColorStop(at, colour);
  context.fillStyle = sky;
  context.fillRect(0, 0, WIDTH, HEIGHT);
  context.fillStyle = '#ffe9a8';
  context.beginPath();
  context.arc(WIDTH * 0.7, HEIGHT * 0.8, 46, 0, 2 * Math.PI);
  context.fill();
  for (let star = 0; star < 400; star++)
    context.fillRect(Math.random() * WIDTH, Math.random() ** 2 * HEIGHT * 0.6, 1.5, 1.5);
  return new Promise((resolve, reject) =>
    canvas.toBlob((blob) => (blob ? resolve(blob) : reject(new Error('The image is empty.')))),
  );
}
