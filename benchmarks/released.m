% The released program's way to the three characteristics, written anew from its description:
% every run solves with two pseudo-inverses and walks over the features for the angles.
%
%   octave-cli released.m data.mat runs mode
%
% data.mat holds X (samples x features) and y. The fit without a feature is N X - x_j n_j; mode
% "loop" multiplies N X out for every feature, "hoisted" once a run, which is the least that such
% a program can cost. Prints CPU seconds and wall seconds of all runs, after one run on a few
% features to warm up.

1;

function C = characterize(X, y, hoisted)
  N = X ./ sqrt(sum(X .^ 2));
  N(:, ! isfinite(N(1, :))) = 0;
  [m, n] = size(N);
  lo = min(N) / 1e6;
  hi = max(N) / 1e5;
  E = lo + rand(m, 1) * (hi - lo);
  x = pinv(N) * y;
  moved = pinv(N + E) * y;
  fit = N * x;
  base = angle_between(fit, y);
  C = zeros(n, 3);
  for j = 1:n
    if (! hoisted)
      fit = N * x;
    end
    C(j, 1) = abs(angle_between(fit - x(j) * N(:, j), y) - base);
    C(j, 2) = angle_between(N(:, j), y);
  end
  C(:, 3) = abs(x - moved);
  C = C ./ sqrt(sum(C .^ 2));
  C(:, 2) = cumsum(C(:, 2)) ./ (1:n)';
end

function degrees = angle_between(a, b)
  degrees = acosd(dot(a, b) / (norm(a) * norm(b)));
end

arguments = argv();
data = load(arguments{1});
runs = str2double(arguments{2});
hoisted = strcmp(arguments{3}, "hoisted");
X = double(data.X);
y = double(data.y(:));
characterize(X(:, 1:min(200, columns(X))), y, hoisted);
cpu = cputime();
tic();
for run = 1:runs
  characterize(X, y, hoisted);
end
printf("%.6f %.6f\n", cputime() - cpu, toc());
