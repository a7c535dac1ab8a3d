# Sourced by scripts that make images with podman. `base <image> <packages> [<release>]` makes an image of a root file system of
# Debian's packages (with commas between) and of those that they need, unless the image is there; of bookworm by default.
base() {
  podman image exists "$1" && return
  mmdebstrap --quiet --variant=extract --mode=root --include="$2" "${3:-bookworm}" | podman import - "$1"
}
