// Names the image of an overlay by version and digest, as a registry has it:
//   node deploy/pin.mjs <overlay> <registry/name>:<version>@sha256:<digest>
import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { pinImage } from './pin/pin-image.mjs';

const [overlay, reference] = process.argv.slice(2);
if (!overlay || !reference) throw new Error('node deploy/pin.mjs <overlay> <name>:<version>@sha256:<digest>');
const file = path.join(overlay, 'kustomization.yaml');
writeFileSync(file, pinImage(readFileSync(file, 'utf8'), reference));
