#!/bin/sh
# Rolls out an overlay: configuration first, then the migrations, then the processes; waits for each step.
#   deploy/rollout.sh deploy/overlays/production
set -eu
overlay=$1
rendered=$(mktemp)
trap 'rm -f "$rendered"' EXIT
kubectl kustomize "$overlay" > "$rendered"
namespace=$(sed -n 's/^  namespace: //p' "$rendered" | head -n 1)
kubectl_here() { kubectl --namespace "$namespace" "$@"; }

# Jobs cannot be changed, and their pods need their configuration.
kubectl apply -f "$rendered" --selector '!app.kubernetes.io/part-of'
kubectl_here delete job --selector app.kubernetes.io/component=migration --ignore-not-found
kubectl apply -f "$rendered" --selector 'app.kubernetes.io/part-of=parley,app.kubernetes.io/component notin (gateway,service,console-server)'
kubectl_here wait job --selector app.kubernetes.io/component=migration --for=condition=complete --timeout=1h

kubectl apply -f "$rendered"
kubectl_here rollout status deployment --selector app.kubernetes.io/part-of=parley --timeout=15m
